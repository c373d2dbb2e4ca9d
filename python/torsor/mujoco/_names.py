"""Names and numbers of MuJoCo 4.0.0's interface. Written by scripts/make_mujoco_names.py; not for editing."""

from math import nan

VERSION = "4.0.0"

# name=value
ENUMS = {
    "mjrIndexType": (
        "mjINDEX_TYPE_U16=0 mjINDEX_TYPE_U32=1 "),
    "mjrMeshPrimitiveType": (
        "mjMESH_PRIMITIVE_TYPE_TRIANGLES=0 mjMESH_PRIMITIVE_TYPE_LINES=1 "),
    "mjrPixelFormat": (
        "mjPIXEL_FORMAT_UNKNOWN=0 mjPIXEL_FORMAT_R8=1 mjPIXEL_FORMAT_RGB8=2 mjPIXEL_FORMAT_RGBA8=3 "
        "mjPIXEL_FORMAT_R32F=4 mjPIXEL_FORMAT_DEPTH32F=5 mjPIXEL_FORMAT_KTX=6 "),
    "mjrVertexAttributeType": (
        "mjVERTEX_ATTRIBUTE_TYPE_FLOAT2=0 mjVERTEX_ATTRIBUTE_TYPE_FLOAT3=1 mjVERTEX_ATTRIBUTE_TYPE_FLOAT4=2 "
        "mjVERTEX_ATTRIBUTE_TYPE_UBYTE4=3 "),
    "mjrVertexAttributeUsage": (
        "mjVERTEX_ATTRIBUTE_USAGE_POSITION=0 mjVERTEX_ATTRIBUTE_USAGE_NORMAL=1 mjVERTEX_ATTRIBUTE_USAGE_TANGENTS=2 "
        "mjVERTEX_ATTRIBUTE_USAGE_UV=3 mjVERTEX_ATTRIBUTE_USAGE_COLOR=4 "),
    "mjtActuator": (
        "mjACTUATOR_GENERAL=0 mjACTUATOR_MOTOR=1 mjACTUATOR_POSITION=2 mjACTUATOR_VELOCITY=3 mjACTUATOR_INTVELOCITY=4 "
        "mjACTUATOR_DAMPER=5 mjACTUATOR_CYLINDER=6 mjACTUATOR_MUSCLE=7 mjACTUATOR_ADHESION=8 mjACTUATOR_PID=9 "
        "mjACTUATOR_ORIENTATION=10 mjACTUATOR_DCMOTOR=11 "),
    "mjtAlignFree": (
        "mjALIGNFREE_FALSE=0 mjALIGNFREE_TRUE=1 mjALIGNFREE_AUTO=2 "),
    "mjtBias": (
        "mjBIAS_NONE=0 mjBIAS_AFFINE=1 mjBIAS_MUSCLE=2 mjBIAS_DCMOTOR=3 mjBIAS_SO3=4 mjBIAS_USER=5 "),
    "mjtBuiltin": (
        "mjBUILTIN_NONE=0 mjBUILTIN_GRADIENT=1 mjBUILTIN_CHECKER=2 mjBUILTIN_FLAT=3 "),
    "mjtButton": (
        "mjBUTTON_NONE=0 mjBUTTON_LEFT=1 mjBUTTON_RIGHT=2 mjBUTTON_MIDDLE=3 "),
    "mjtCTimer": (
        "mjCTIMER_TOTAL=0 mjCTIMER_ASSETS=1 mjCTIMER_TEXTURE=2 mjCTIMER_MESH_LOAD=3 mjCTIMER_MESH_HULL=4 "
        "mjCTIMER_MESH_POLYGON=5 mjCTIMER_MESH_INERTIA=6 mjCTIMER_MESH_BVH=7 mjCTIMER_MESH_OCTREE=8 mjNCTIMER=9 "),
    "mjtCamLight": (
        "mjCAMLIGHT_FIXED=0 mjCAMLIGHT_TRACK=1 mjCAMLIGHT_TRACKCOM=2 mjCAMLIGHT_TARGETBODY=3 mjCAMLIGHT_TARGETBODYCOM=4 "),
    "mjtCamOutBit": (
        "mjCAMOUT_RGB=1 mjCAMOUT_DEPTH=2 mjCAMOUT_DIST=4 mjCAMOUT_NORMAL=8 mjCAMOUT_SEG=16 mjNCAMOUT=5 "),
    "mjtCamera": (
        "mjCAMERA_FREE=0 mjCAMERA_TRACKING=1 mjCAMERA_FIXED=2 mjCAMERA_USER=3 "),
    "mjtCatBit": (
        "mjCAT_STATIC=1 mjCAT_DYNAMIC=2 mjCAT_DECOR=4 mjCAT_ALL=7 "),
    "mjtColorSpace": (
        "mjCOLORSPACE_AUTO=0 mjCOLORSPACE_LINEAR=1 mjCOLORSPACE_SRGB=2 "),
    "mjtConDataField": (
        "mjCONDATA_FOUND=0 mjCONDATA_FORCE=1 mjCONDATA_TORQUE=2 mjCONDATA_DIST=3 mjCONDATA_POS=4 mjCONDATA_NORMAL=5 "
        "mjCONDATA_TANGENT=6 mjCONDATA_LINVEL=7 mjCONDATA_ANGVEL=8 mjNCONDATA=9 "),
    "mjtCone": (
        "mjCONE_PYRAMIDAL=0 mjCONE_ELLIPTIC=1 "),
    "mjtConflict": (
        "mjCONFLICT_WARNING=0 mjCONFLICT_MERGE=1 mjCONFLICT_ERROR=2 "),
    "mjtConstraint": (
        "mjCNSTR_EQUALITY=0 mjCNSTR_FRICTION_DOF=1 mjCNSTR_FRICTION_TENDON=2 mjCNSTR_LIMIT_JOINT=3 "
        "mjCNSTR_LIMIT_TENDON=4 mjCNSTR_CONTACT_FRICTIONLESS=5 mjCNSTR_CONTACT_PYRAMIDAL=6 mjCNSTR_CONTACT_ELLIPTIC=7 "),
    "mjtConstraintState": (
        "mjCNSTRSTATE_SATISFIED=0 mjCNSTRSTATE_QUADRATIC=1 mjCNSTRSTATE_LINEARNEG=2 mjCNSTRSTATE_LINEARPOS=3 "
        "mjCNSTRSTATE_CONE=4 "),
    "mjtCtrlChart": (
        "mjCHART_EXPMAP=1 mjCHART_QUAT=2 "),
    "mjtCtrlInput": (
        "mjINPUT_POS=1 mjINPUT_VEL=2 mjINPUT_FF=4 mjINPUT_VOLTAGE=8 mjINPUT_NONE=16 mjINPUT_PRESSURE=32 "),
    "mjtDataType": (
        "mjDATATYPE_REAL=0 mjDATATYPE_POSITIVE=1 mjDATATYPE_AXIS=2 mjDATATYPE_QUATERNION=3 "),
    "mjtDepthMap": (
        "mjDEPTH_ZERONEAR=0 mjDEPTH_ZEROFAR=1 "),
    "mjtDisableBit": (
        "mjDSBL_CONSTRAINT=1 mjDSBL_EQUALITY=2 mjDSBL_FRICTIONLOSS=4 mjDSBL_LIMIT=8 mjDSBL_CONTACT=16 mjDSBL_SPRING=32 "
        "mjDSBL_DAMPER=64 mjDSBL_GRAVITY=128 mjDSBL_CLAMPCTRL=256 mjDSBL_WARMSTART=512 mjDSBL_FILTERPARENT=1024 "
        "mjDSBL_ACTUATION=2048 mjDSBL_REFSAFE=4096 mjDSBL_SENSOR=8192 mjDSBL_MIDPHASE=16384 mjDSBL_EULERDAMP=32768 "
        "mjDSBL_AUTORESET=65536 mjDSBL_NATIVECCD=131072 mjDSBL_ISLAND=262144 mjDSBL_MULTICCD=524288 mjNDISABLE=20 "),
    "mjtDyn": (
        "mjDYN_NONE=0 mjDYN_INTEGRATOR=1 mjDYN_FILTER=2 mjDYN_FILTEREXACT=3 mjDYN_MUSCLE=4 mjDYN_DCMOTOR=5 mjDYN_PID=6 "
        "mjDYN_USER=7 "),
    "mjtEmbed": (
        "mjEMBED_FALSE=0 mjEMBED_TRUE=1 mjEMBED_AUTO=2 "),
    "mjtEnableBit": (
        "mjENBL_OVERRIDE=1 mjENBL_ENERGY=2 mjENBL_FWDINV=4 mjENBL_INVDISCRETE=8 mjENBL_SLEEP=16 mjENBL_DIAGEXACT=32 "
        "mjENBL_IPC=64 mjENBL_SPECULATIVE=128 mjNENABLE=8 "),
    "mjtEq": (
        "mjEQ_CONNECT=0 mjEQ_WELD=1 mjEQ_JOINT=2 mjEQ_TENDON=3 mjEQ_FLEX=4 mjEQ_FLEXVERT=5 mjEQ_FLEXSTRAIN=6 "
        "mjEQ_DISTANCE=7 "),
    "mjtEvent": (
        "mjEVENT_NONE=0 mjEVENT_MOVE=1 mjEVENT_PRESS=2 mjEVENT_RELEASE=3 mjEVENT_SCROLL=4 mjEVENT_KEY=5 "
        "mjEVENT_RESIZE=6 mjEVENT_REDRAW=7 mjEVENT_FILESDROP=8 "),
    "mjtFlexSection": (
        "mjFLEXSECTION_CIRCLE=0 mjFLEXSECTION_BOX=1 "),
    "mjtFlexSelf": (
        "mjFLEXSELF_NONE=0 mjFLEXSELF_NARROW=1 mjFLEXSELF_BVH=2 mjFLEXSELF_SAP=3 mjFLEXSELF_AUTO=4 "),
    "mjtFont": (
        "mjFONT_NORMAL=0 mjFONT_SHADOW=1 mjFONT_BIG=2 "),
    "mjtFontScale": (
        "mjFONTSCALE_50=50 mjFONTSCALE_100=100 mjFONTSCALE_150=150 mjFONTSCALE_200=200 mjFONTSCALE_250=250 "
        "mjFONTSCALE_300=300 "),
    "mjtFrame": (
        "mjFRAME_NONE=0 mjFRAME_BODY=1 mjFRAME_GEOM=2 mjFRAME_SITE=3 mjFRAME_CAMERA=4 mjFRAME_LIGHT=5 mjFRAME_CONTACT=6 "
        "mjFRAME_WORLD=7 mjNFRAME=8 "),
    "mjtFramebuffer": (
        "mjFB_WINDOW=0 mjFB_OFFSCREEN=1 "),
    "mjtGain": (
        "mjGAIN_FIXED=0 mjGAIN_AFFINE=1 mjGAIN_MUSCLE=2 mjGAIN_DCMOTOR=3 mjGAIN_SO3=4 mjGAIN_PID=5 mjGAIN_USER=6 "),
    "mjtGeom": (
        "mjGEOM_PLANE=0 mjGEOM_HFIELD=1 mjGEOM_SPHERE=2 mjGEOM_CAPSULE=3 mjGEOM_ELLIPSOID=4 mjGEOM_CYLINDER=5 "
        "mjGEOM_BOX=6 mjGEOM_MESH=7 mjGEOM_SDF=8 mjNGEOMTYPES=9 mjGEOM_ARROW=100 mjGEOM_ARROW1=101 mjGEOM_ARROW2=102 "
        "mjGEOM_LINE=103 mjGEOM_LINEBOX=104 mjGEOM_FLEX=105 mjGEOM_SKIN=106 mjGEOM_LABEL=107 mjGEOM_TRIANGLE=108 "
        "mjGEOM_NONE=1001 "),
    "mjtGeomInertia": (
        "mjINERTIA_VOLUME=0 mjINERTIA_SHELL=1 "),
    "mjtGridPos": (
        "mjGRID_TOPLEFT=0 mjGRID_TOPRIGHT=1 mjGRID_BOTTOMLEFT=2 mjGRID_BOTTOMRIGHT=3 mjGRID_TOP=4 mjGRID_BOTTOM=5 "
        "mjGRID_LEFT=6 mjGRID_RIGHT=7 "),
    "mjtInertiaFromGeom": (
        "mjINERTIAFROMGEOM_FALSE=0 mjINERTIAFROMGEOM_TRUE=1 mjINERTIAFROMGEOM_AUTO=2 "),
    "mjtIntegrator": (
        "mjINT_EULER=0 mjINT_RK4=1 mjINT_IMPLICIT=2 mjINT_IMPLICITFAST=3 mjINT_DISCRETE=4 "),
    "mjtItem": (
        "mjITEM_END=-2 mjITEM_SECTION=-1 mjITEM_SEPARATOR=0 mjITEM_STATIC=1 mjITEM_BUTTON=2 mjITEM_CHECKINT=3 "
        "mjITEM_CHECKBYTE=4 mjITEM_RADIO=5 mjITEM_RADIOLINE=6 mjITEM_SELECT=7 mjITEM_SLIDERINT=8 mjITEM_SLIDERNUM=9 "
        "mjITEM_EDITINT=10 mjITEM_EDITNUM=11 mjITEM_EDITFLOAT=12 mjITEM_EDITTXT=13 mjNITEM=14 "),
    "mjtJacobian": (
        "mjJAC_DENSE=0 mjJAC_SPARSE=1 mjJAC_AUTO=2 "),
    "mjtJoint": (
        "mjJNT_FREE=0 mjJNT_BALL=1 mjJNT_SLIDE=2 mjJNT_HINGE=3 "),
    "mjtLRMode": (
        "mjLRMODE_NONE=0 mjLRMODE_MUSCLE=1 mjLRMODE_MUSCLEUSER=2 mjLRMODE_ALL=3 "),
    "mjtLabel": (
        "mjLABEL_NONE=0 mjLABEL_BODY=1 mjLABEL_JOINT=2 mjLABEL_GEOM=3 mjLABEL_SITE=4 mjLABEL_CAMERA=5 mjLABEL_LIGHT=6 "
        "mjLABEL_TENDON=7 mjLABEL_ACTUATOR=8 mjLABEL_CONSTRAINT=9 mjLABEL_FLEX=10 mjLABEL_SKIN=11 mjLABEL_SELECTION=12 "
        "mjLABEL_SELPNT=13 mjLABEL_CONTACTPOINT=14 mjLABEL_CONTACTFORCE=15 mjLABEL_ISLAND=16 mjNLABEL=17 "),
    "mjtLightType": (
        "mjLIGHT_SPOT=0 mjLIGHT_DIRECTIONAL=1 mjLIGHT_POINT=2 mjLIGHT_IMAGE=3 "),
    "mjtLimited": (
        "mjLIMITED_FALSE=0 mjLIMITED_TRUE=1 mjLIMITED_AUTO=2 "),
    "mjtLogLevel": (
        "mjLOG_DEBUG=0 mjLOG_INFO=1 mjLOG_WARNING=2 mjLOG_ERROR=3 "),
    "mjtLogTopic": (
        "mjTOPIC_NONE=0 mjTOPIC_TIME_STP=1 mjTOPIC_TIME_CMP=2 mjTOPIC_SLEEP=3 mjNTOPIC=3 "),
    "mjtMark": (
        "mjMARK_NONE=0 mjMARK_EDGE=1 mjMARK_CROSS=2 mjMARK_RANDOM=3 "),
    "mjtMeshBuiltin": (
        "mjMESH_BUILTIN_NONE=0 mjMESH_BUILTIN_SPHERE=1 mjMESH_BUILTIN_HEMISPHERE=2 mjMESH_BUILTIN_CONE=3 "
        "mjMESH_BUILTIN_SUPERSPHERE=4 mjMESH_BUILTIN_SUPERTORUS=5 mjMESH_BUILTIN_WEDGE=6 mjMESH_BUILTIN_PLATE=7 "
        "mjMESH_BUILTIN_GRID=8 mjMESH_BUILTIN_BOX=9 mjMESH_BUILTIN_CYLINDER=10 mjMESH_BUILTIN_ELLIPSOID=11 "
        "mjMESH_BUILTIN_SQUARE=12 mjMESH_BUILTIN_DISC=13 "),
    "mjtMeshInertia": (
        "mjMESH_INERTIA_CONVEX=0 mjMESH_INERTIA_EXACT=1 mjMESH_INERTIA_LEGACY=2 mjMESH_INERTIA_SHELL=3 "),
    "mjtMouse": (
        "mjMOUSE_NONE=0 mjMOUSE_ROTATE_V=1 mjMOUSE_ROTATE_H=2 mjMOUSE_MOVE_V=3 mjMOUSE_MOVE_H=4 mjMOUSE_ZOOM=5 "
        "mjMOUSE_MOVE_V_REL=6 mjMOUSE_MOVE_H_REL=7 mjMOUSE_TURN_V=8 mjMOUSE_TURN_H=9 "),
    "mjtObj": (
        "mjOBJ_UNKNOWN=0 mjOBJ_BODY=1 mjOBJ_XBODY=2 mjOBJ_JOINT=3 mjOBJ_DOF=4 mjOBJ_GEOM=5 mjOBJ_SITE=6 mjOBJ_CAMERA=7 "
        "mjOBJ_LIGHT=8 mjOBJ_FLEX=9 mjOBJ_MESH=10 mjOBJ_SKIN=11 mjOBJ_HFIELD=12 mjOBJ_TEXTURE=13 mjOBJ_MATERIAL=14 "
        "mjOBJ_PAIR=15 mjOBJ_EXCLUDE=16 mjOBJ_EQUALITY=17 mjOBJ_TENDON=18 mjOBJ_ACTUATOR=19 mjOBJ_SENSOR=20 "
        "mjOBJ_NUMERIC=21 mjOBJ_TEXT=22 mjOBJ_TUPLE=23 mjOBJ_KEY=24 mjOBJ_PLUGIN=25 mjNOBJECT=26 mjOBJ_FRAME=100 "
        "mjOBJ_DEFAULT=101 mjOBJ_MODEL=102 "),
    "mjtOrientation": (
        "mjORIENTATION_QUAT=0 mjORIENTATION_AXISANGLE=1 mjORIENTATION_XYAXES=2 mjORIENTATION_ZAXIS=3 "
        "mjORIENTATION_EULER=4 "),
    "mjtPassthrough": (
        "mjPASSTHROUGH_NONE=0 mjPASSTHROUGH_TEXTURES=1 "),
    "mjtPertBit": (
        "mjPERT_TRANSLATE=1 mjPERT_ROTATE=2 "),
    "mjtPluginCapabilityBit": (
        "mjPLUGIN_ACTUATOR=1 mjPLUGIN_SENSOR=2 mjPLUGIN_PASSIVE=4 mjPLUGIN_SDF=8 "),
    "mjtProjection": (
        "mjPROJ_PERSPECTIVE=0 mjPROJ_ORTHOGRAPHIC=1 "),
    "mjtRayDataField": (
        "mjRAYDATA_DIST=0 mjRAYDATA_DIR=1 mjRAYDATA_ORIGIN=2 mjRAYDATA_POINT=3 mjRAYDATA_NORMAL=4 mjRAYDATA_DEPTH=5 "
        "mjNRAYDATA=6 "),
    "mjtRndFlag": (
        "mjRND_SHADOW=0 mjRND_WIREFRAME=1 mjRND_REFLECTION=2 mjRND_ADDITIVE=3 mjRND_SKYBOX=4 mjRND_FOG=5 mjRND_HAZE=6 "
        "mjRND_DEPTH=7 mjRND_SEGMENT=8 mjRND_IDCOLOR=9 mjRND_CULL_FACE=10 mjRND_POST_PROCESSING=11 mjNRNDFLAG=12 "),
    "mjtSDFType": (
        "mjSDFTYPE_SINGLE=0 mjSDFTYPE_INTERSECTION=1 mjSDFTYPE_MIDSURFACE=2 mjSDFTYPE_COLLISION=3 "),
    "mjtSameFrame": (
        "mjSAMEFRAME_NONE=0 mjSAMEFRAME_BODY=1 mjSAMEFRAME_INERTIA=2 mjSAMEFRAME_BODYROT=3 mjSAMEFRAME_INERTIAROT=4 "),
    "mjtScaling": (
        "mjSCALING_SIMILAR=0 mjSCALING_GEOMETRY=1 "),
    "mjtSection": (
        "mjSECT_CLOSED=0 mjSECT_OPEN=1 mjSECT_FIXED=2 "),
    "mjtSensor": (
        "mjSENS_TOUCH=0 mjSENS_ACCELEROMETER=1 mjSENS_VELOCIMETER=2 mjSENS_GYRO=3 mjSENS_FORCE=4 mjSENS_TORQUE=5 "
        "mjSENS_MAGNETOMETER=6 mjSENS_RANGEFINDER=7 mjSENS_CAMPROJECTION=8 mjSENS_JOINTPOS=9 mjSENS_JOINTVEL=10 "
        "mjSENS_TENDONPOS=11 mjSENS_TENDONVEL=12 mjSENS_ACTUATORPOS=13 mjSENS_ACTUATORVEL=14 mjSENS_ACTUATORFRC=15 "
        "mjSENS_JOINTACTFRC=16 mjSENS_TENDONACTFRC=17 mjSENS_BALLQUAT=18 mjSENS_BALLANGVEL=19 mjSENS_JOINTLIMITPOS=20 "
        "mjSENS_JOINTLIMITVEL=21 mjSENS_JOINTLIMITFRC=22 mjSENS_TENDONLIMITPOS=23 mjSENS_TENDONLIMITVEL=24 "
        "mjSENS_TENDONLIMITFRC=25 mjSENS_FRAMEPOS=26 mjSENS_FRAMEQUAT=27 mjSENS_FRAMEXAXIS=28 mjSENS_FRAMEYAXIS=29 "
        "mjSENS_FRAMEZAXIS=30 mjSENS_FRAMELINVEL=31 mjSENS_FRAMEANGVEL=32 mjSENS_FRAMELINACC=33 mjSENS_FRAMEANGACC=34 "
        "mjSENS_SUBTREECOM=35 mjSENS_SUBTREELINVEL=36 mjSENS_SUBTREEANGMOM=37 mjSENS_INSIDESITE=38 mjSENS_GEOMDIST=39 "
        "mjSENS_GEOMNORMAL=40 mjSENS_GEOMFROMTO=41 mjSENS_CONTACT=42 mjSENS_E_POTENTIAL=43 mjSENS_E_KINETIC=44 "
        "mjSENS_CLOCK=45 mjSENS_TACTILE=46 mjSENS_PLUGIN=47 mjSENS_USER=48 "),
    "mjtSleepPolicy": (
        "mjSLEEP_AUTO=0 mjSLEEP_AUTO_NEVER=1 mjSLEEP_AUTO_ALLOWED=2 mjSLEEP_NEVER=3 mjSLEEP_ALLOWED=4 mjSLEEP_INIT=5 "),
    "mjtSleepState": (
        "mjS_STATIC=-1 mjS_ASLEEP=0 mjS_AWAKE=1 "),
    "mjtSolver": (
        "mjSOL_PGS=0 mjSOL_CG=1 mjSOL_NEWTON=2 "),
    "mjtStage": (
        "mjSTAGE_NONE=0 mjSTAGE_POS=1 mjSTAGE_VEL=2 mjSTAGE_ACC=3 "),
    "mjtState": (
        "mjSTATE_TIME=1 mjSTATE_QPOS=2 mjSTATE_QVEL=4 mjSTATE_ACT=8 mjSTATE_HISTORY=16 mjSTATE_WARMSTART=32 "
        "mjSTATE_CTRL=64 mjSTATE_QFRC_APPLIED=128 mjSTATE_XFRC_APPLIED=256 mjSTATE_EQ_ACTIVE=512 mjSTATE_MOCAP_POS=1024 "
        "mjSTATE_MOCAP_QUAT=2048 mjSTATE_USERDATA=4096 mjSTATE_PLUGIN=8192 mjSTATE_PLASTIC=16384 mjNSTATE=15 "
        "mjSTATE_PHYSICS=16414 mjSTATE_FULLPHYSICS=24607 mjSTATE_USER=8128 mjSTATE_INTEGRATION=32767 "),
    "mjtStereo": (
        "mjSTEREO_NONE=0 mjSTEREO_QUADBUFFERED=1 mjSTEREO_SIDEBYSIDE=2 "),
    "mjtTendon": (
        "mjTENDON_FIXED=0 mjTENDON_SPATIAL=1 "),
    "mjtTexture": (
        "mjTEXTURE_2D=0 mjTEXTURE_CUBE=1 mjTEXTURE_SKYBOX=2 "),
    "mjtTextureRole": (
        "mjTEXROLE_USER=0 mjTEXROLE_RGB=1 mjTEXROLE_OCCLUSION=2 mjTEXROLE_ROUGHNESS=3 mjTEXROLE_METALLIC=4 "
        "mjTEXROLE_NORMAL=5 mjTEXROLE_OPACITY=6 mjTEXROLE_EMISSIVE=7 mjTEXROLE_RGBA=8 mjTEXROLE_ORM=9 mjNTEXROLE=10 "),
    "mjtTimer": (
        "mjTIMER_STEP=0 mjTIMER_FORWARD=1 mjTIMER_INVERSE=2 mjTIMER_POSITION=3 mjTIMER_VELOCITY=4 mjTIMER_ACTUATION=5 "
        "mjTIMER_CONSTRAINT=6 mjTIMER_ADVANCE=7 mjTIMER_POS_KINEMATICS=8 mjTIMER_POS_INERTIA=9 mjTIMER_POS_COLLISION=10 "
        "mjTIMER_POS_MAKE=11 mjTIMER_POS_PROJECT=12 mjTIMER_COL_BROAD=13 mjTIMER_COL_NARROW=14 mjNTIMER=15 "),
    "mjtTrn": (
        "mjTRN_JOINT=0 mjTRN_JOINTINPARENT=1 mjTRN_SLIDERCRANK=2 mjTRN_TENDON=3 mjTRN_SITE=4 mjTRN_BODY=5 mjTRN_SO3=6 "
        "mjTRN_UNDEFINED=1000 "),
    "mjtVisFlag": (
        "mjVIS_CONVEXHULL=0 mjVIS_TEXTURE=1 mjVIS_JOINT=2 mjVIS_CAMERA=3 mjVIS_ACTUATOR=4 mjVIS_ACTIVATION=5 "
        "mjVIS_LIGHT=6 mjVIS_TENDON=7 mjVIS_RANGEFINDER=8 mjVIS_CONSTRAINT=9 mjVIS_INERTIA=10 mjVIS_SCLINERTIA=11 "
        "mjVIS_PERTFORCE=12 mjVIS_PERTOBJ=13 mjVIS_CONTACTPOINT=14 mjVIS_ISLAND=15 mjVIS_CONTACTFORCE=16 "
        "mjVIS_CONTACTSPLIT=17 mjVIS_TRANSPARENT=18 mjVIS_AUTOCONNECT=19 mjVIS_COM=20 mjVIS_SELECT=21 mjVIS_STATIC=22 "
        "mjVIS_SKIN=23 mjVIS_FLEXVERT=24 mjVIS_FLEXEDGE=25 mjVIS_FLEXFACE=26 mjVIS_FLEXSKIN=27 mjVIS_BODYBVH=28 "
        "mjVIS_MESHBVH=29 mjVIS_SDFITER=30 mjNVISFLAG=31 "),
    "mjtWarning": (
        "mjWARN_INERTIA=0 mjWARN_CONTACTFULL=1 mjWARN_CNSTRFULL=2 mjWARN_BADQPOS=3 mjWARN_BADQVEL=4 mjWARN_BADQACC=5 "
        "mjWARN_BADCTRL=6 mjNWARNING=7 "),
    "mjtWrap": (
        "mjWRAP_NONE=0 mjWRAP_JOINT=1 mjWRAP_PULLEY=2 mjWRAP_SITE=3 mjWRAP_SPHERE=4 mjWRAP_CYLINDER=5 "),
}

# name:type:extents, of the arrays and numbers of a class
FIELDS = {
    "MjModel": (
        "nq:int nv:int nu:int nactuator:int nout:int na:int nbody:int nbvh:int nbvhstatic:int nbvhdynamic:int noct:int "
        "njnt:int ntree:int nM:int nB:int nC:int nD:int ngeom:int nsite:int ncam:int nlight:int nflex:int nflexnode:int "
        "nflexvert:int nflexedge:int nflexelem:int nflexelemdata:int nflexstiffness:int nflexbending:int nefm0dof:int "
        "nefm0L:int nefmCvert:int nflexelemedge:int nflexshelldata:int nflextexcoord:int nJfe:int nmesh:int "
        "nmeshvert:int nmeshnormal:int nmeshtexcoord:int nmeshface:int nmeshgraph:int nmeshpoly:int nmeshpolyvert:int "
        "nmeshpolymap:int nskin:int nskinvert:int nskintexvert:int nskinface:int nskinbone:int nskinbonevert:int "
        "nhfield:int nhfielddata:int ntex:int ntexdata:int nmat:int npair:int nexclude:int neq:int ntendon:int "
        "nJten:int nwrap:int nsensor:int nnumeric:int nnumericdata:int ntext:int ntextdata:int ntuple:int "
        "ntupledata:int nkey:int nmocap:int nplugin:int npluginattr:int nuser_body:int nuser_jnt:int nuser_geom:int "
        "nuser_site:int nuser_cam:int nuser_tendon:int nuser_actuator:int nuser_sensor:int nnames:int npaths:int "
        "nplastic:int nnames_map:int nJmom:int ngravcomp:int nemax:int njmax:int nconmax:int npolygonmax:int "
        "nmeshdegmax:int nuserdata:int nsensordata:int npluginstate:int nhistory:int narena:int nbuffer:int "
        "flg_gravcomp:bool flg_surfacevel:bool flg_adhesion:bool opt:object vis:object stat:object qpos0:float64:nq "
        "qpos_spring:float64:nq body_parentid:int32:nbody body_rootid:int32:nbody body_weldid:int32:nbody "
        "body_mocapid:int32:nbody body_jntnum:int32:nbody body_jntadr:int32:nbody body_dofnum:int32:nbody "
        "body_dofadr:int32:nbody body_treeid:int32:nbody body_geomnum:int32:nbody body_geomadr:int32:nbody "
        "body_simple:uint8:nbody body_sameframe:uint8:nbody body_pos:float64:nbody:3 body_quat:float64:nbody:4 "
        "body_ipos:float64:nbody:3 body_iquat:float64:nbody:4 body_mass:float64:nbody body_subtreemass:float64:nbody "
        "body_inertia:float64:nbody:3 body_invweight0:float64:nbody:2 body_gravcomp:float64:nbody "
        "body_margin:float64:nbody body_user:float64:nbody:nuser_body body_plugin:int32:nbody body_contype:int32:nbody "
        "body_conaffinity:int32:nbody body_bvhadr:int32:nbody body_bvhnum:int32:nbody bvh_depth:int32:nbvh "
        "bvh_child:int32:nbvh:2 bvh_nodeid:int32:nbvh bvh_aabb:float64:nbvhstatic:6 oct_depth:int32:noct "
        "oct_child:int32:noct:8 oct_aabb:float64:noct:6 oct_coeff:float64:noct:8 jnt_type:int32:njnt "
        "jnt_qposadr:int32:njnt jnt_dofadr:int32:njnt jnt_bodyid:int32:njnt jnt_actuatorid:int32:njnt "
        "jnt_group:int32:njnt jnt_plasticadr:int32:njnt jnt_limited:bool:njnt jnt_actfrclimited:bool:njnt "
        "jnt_actgravcomp:bool:njnt jnt_solref:float64:njnt:mjNREF jnt_solimp:float64:njnt:mjNIMP jnt_pos:float64:njnt:3 "
        "jnt_axis:float64:njnt:3 jnt_stiffness:float64:njnt jnt_stiffnesspoly:float64:njnt:mjNPOLY "
        "jnt_springyield:float64:njnt jnt_range:float64:njnt:2 jnt_actfrcrange:float64:njnt:2 jnt_margin:float64:njnt "
        "jnt_user:float64:njnt:nuser_jnt dof_bodyid:int32:nv dof_jntid:int32:nv dof_parentid:int32:nv "
        "dof_treeid:int32:nv dof_Madr:int32:nv dof_simplenum:int32:nv dof_solref:float64:nv:mjNREF "
        "dof_solimp:float64:nv:mjNIMP dof_frictionloss:float64:nv dof_armature:float64:nv dof_damping:float64:nv "
        "dof_dampingpoly:float64:nv:mjNPOLY dof_invweight0:float64:nv dof_M0:float64:nv dof_length:float64:nv "
        "tree_bodyadr:int32:ntree tree_bodynum:int32:ntree tree_dofadr:int32:ntree tree_dofnum:int32:ntree "
        "tree_sleep_policy:int32:ntree geom_type:int32:ngeom geom_contype:int32:ngeom geom_conaffinity:int32:ngeom "
        "geom_condim:int32:ngeom geom_bodyid:int32:ngeom geom_dataid:int32:ngeom geom_matid:int32:ngeom "
        "geom_group:int32:ngeom geom_priority:int32:ngeom geom_plugin:int32:ngeom geom_sameframe:uint8:ngeom "
        "geom_castshadow:bool:ngeom geom_solmix:float64:ngeom geom_solref:float64:ngeom:mjNREF "
        "geom_solimp:float64:ngeom:mjNIMP geom_size:float64:ngeom:3 geom_aabb:float64:ngeom:6 geom_rbound:float64:ngeom "
        "geom_pos:float64:ngeom:3 geom_quat:float64:ngeom:4 geom_friction:float64:ngeom:3 geom_margin:float64:ngeom "
        "geom_gap:float64:ngeom geom_surfacevel:float64:ngeom:6 geom_adhesion:float64:ngeom "
        "geom_fluid:float64:ngeom:mjNFLUID geom_user:float64:ngeom:nuser_geom geom_rgba:float32:ngeom:4 "
        "site_type:int32:nsite site_bodyid:int32:nsite site_dataid:int32:nsite site_matid:int32:nsite "
        "site_group:int32:nsite site_sameframe:uint8:nsite site_size:float64:nsite:3 site_pos:float64:nsite:3 "
        "site_quat:float64:nsite:4 site_user:float64:nsite:nuser_site site_rgba:float32:nsite:4 cam_mode:int32:ncam "
        "cam_bodyid:int32:ncam cam_targetbodyid:int32:ncam cam_pos:float64:ncam:3 cam_quat:float64:ncam:4 "
        "cam_poscom0:float64:ncam:3 cam_pos0:float64:ncam:3 cam_mat0:float64:ncam:9 cam_projection:int32:ncam "
        "cam_fovy:float64:ncam cam_ipd:float64:ncam cam_resolution:int32:ncam:2 cam_output:int32:ncam "
        "cam_sensorsize:float32:ncam:2 cam_intrinsic:float32:ncam:4 cam_user:float64:ncam:nuser_cam "
        "light_mode:int32:nlight light_bodyid:int32:nlight light_targetbodyid:int32:nlight light_type:int32:nlight "
        "light_texid:int32:nlight light_castshadow:bool:nlight light_bulbradius:float32:nlight "
        "light_intensity:float32:nlight light_range:float32:nlight light_active:bool:nlight light_pos:float64:nlight:3 "
        "light_dir:float64:nlight:3 light_poscom0:float64:nlight:3 light_pos0:float64:nlight:3 "
        "light_dir0:float64:nlight:3 light_attenuation:float32:nlight:3 light_cutoff:float32:nlight "
        "light_softness:float32:nlight light_exponent:float32:nlight light_ambient:float32:nlight:3 "
        "light_diffuse:float32:nlight:3 light_specular:float32:nlight:3 flex_contype:int32:nflex "
        "flex_conaffinity:int32:nflex flex_condim:int32:nflex flex_priority:int32:nflex flex_solmix:float64:nflex "
        "flex_solref:float64:nflex:mjNREF flex_solimp:float64:nflex:mjNIMP flex_friction:float64:nflex:3 "
        "flex_margin:float64:nflex flex_gap:float64:nflex flex_selfcollide:int32:nflex flex_activelayers:int32:nflex "
        "flex_passive:int32:nflex flex_dim:int32:nflex flex_matid:int32:nflexelem flex_group:int32:nflex "
        "flex_interp:int32:nflex flex_cellnum:int32:nflex:3 flex_nodeadr:int32:nflex flex_nodenum:int32:nflex "
        "flex_vertadr:int32:nflex flex_vertnum:int32:nflex flex_edgeadr:int32:nflex flex_edgenum:int32:nflex "
        "flex_elemadr:int32:nflex flex_elemnum:int32:nflex flex_elemdataadr:int32:nflex flex_stiffnessadr:int32:nflex "
        "flex_elemedgeadr:int32:nflex flex_bendingadr:int32:nflex flex_plasticadr:int32:nflex "
        "flex_plasticmode:int32:nflex flex_shellnum:int32:nflex flex_shelldataadr:int32:nflex "
        "flex_texcoordadr:int32:nflex flex_nodebodyid:int32:nflexnode flex_vertbodyid:int32:nflexvert "
        "flex_vertcell:int32:nflexvert flex_edge:int32:nflexedge:2 flex_edgeflap:int32:nflexedge:2 "
        "flex_elem:int32:nflexelemdata flex_elemtexcoord:int32:nflexelemdata flex_elemedge:int32:nflexelemedge "
        "flex_elemlayer:int32:nflexelem flex_shell:int32:nflexshelldata flex_vert:float64:nflexvert:3 "
        "flex_vert0:float64:nflexvert:3 flex_node:float64:nflexnode:3 flex_node0:float64:nflexnode:3 "
        "flexedge_length0:float64:nflexedge flexedge_invweight0:float64:nflexedge flex_radius:float64:nflex "
        "flex_size:float64:nflex:3 flex_stiffness:float64:nflexstiffness flex_bending:float64:nflexbending "
        "efm0_dofid:int32:nefm0dof efm0_L_rownnz:int32:nefm0dof efm0_L_rowadr:int32:nefm0dof efm0_L_colind:int32:nefm0L "
        "efm0_L:float64:nefm0L efmC_perm:int32:nefmCvert flex_damping:float64:nflex flex_yield:float64:nflex:2 "
        "flex_edgestiffness:float64:nflex flex_edgedamping:float64:nflex flex_edgeequality:int32:nflex "
        "flex_rigid:bool:nflex flexedge_rigid:bool:nflexedge flex_centered:bool:nflex flex_flatskin:bool:nflex "
        "flex_bvhadr:int32:nflex flex_bvhnum:int32:nflex flexedge_J_rownnz:int32:nflexedge "
        "flexedge_J_rowadr:int32:nflexedge flexedge_J_colind:int32:nJfe flex_rgba:float32:nflex:4 "
        "flex_texcoord:float32:nflextexcoord:2 mesh_vertadr:int32:nmesh mesh_vertnum:int32:nmesh "
        "mesh_faceadr:int32:nmesh mesh_facenum:int32:nmesh mesh_bvhadr:int32:nmesh mesh_bvhnum:int32:nmesh "
        "mesh_octadr:int32:nmesh mesh_octnum:int32:nmesh mesh_normaladr:int32:nmesh mesh_normalnum:int32:nmesh "
        "mesh_texcoordadr:int32:nmesh mesh_texcoordnum:int32:nmesh mesh_graphadr:int32:nmesh "
        "mesh_extrema:int32:nmesh:27 mesh_vert:float32:nmeshvert:3 mesh_normal:float32:nmeshnormal:3 "
        "mesh_texcoord:float32:nmeshtexcoord:2 mesh_face:int32:nmeshface:3 mesh_facenormal:int32:nmeshface:3 "
        "mesh_facetexcoord:int32:nmeshface:3 mesh_graph:int32:nmeshgraph mesh_scale:float64:nmesh:3 "
        "mesh_pos:float64:nmesh:3 mesh_quat:float64:nmesh:4 mesh_pathadr:int32:nmesh mesh_polynum:int32:nmesh "
        "mesh_polyadr:int32:nmesh mesh_polynormal:float64:nmeshpoly:3 mesh_polyvertadr:int32:nmeshpoly "
        "mesh_polyvertnum:int32:nmeshpoly mesh_polyvert:int32:nmeshpolyvert mesh_polymapadr:int32:nmeshvert "
        "mesh_polymapnum:int32:nmeshvert mesh_polymap:int32:nmeshpolymap skin_matid:int32:nskin skin_group:int32:nskin "
        "skin_rgba:float32:nskin:4 skin_inflate:float32:nskin skin_vertadr:int32:nskin skin_vertnum:int32:nskin "
        "skin_texcoordadr:int32:nskin skin_faceadr:int32:nskin skin_facenum:int32:nskin skin_boneadr:int32:nskin "
        "skin_bonenum:int32:nskin skin_vert:float32:nskinvert:3 skin_texcoord:float32:nskintexvert:2 "
        "skin_face:int32:nskinface:3 skin_bonevertadr:int32:nskinbone skin_bonevertnum:int32:nskinbone "
        "skin_bonebindpos:float32:nskinbone:3 skin_bonebindquat:float32:nskinbone:4 skin_bonebodyid:int32:nskinbone "
        "skin_bonevertid:int32:nskinbonevert skin_bonevertweight:float32:nskinbonevert skin_pathadr:int32:nskin "
        "hfield_size:float64:nhfield:4 hfield_nrow:int32:nhfield hfield_ncol:int32:nhfield hfield_adr:int32:nhfield "
        "hfield_data:float32:nhfielddata hfield_pathadr:int32:nhfield tex_type:int32:ntex tex_colorspace:int32:ntex "
        "tex_height:int32:ntex tex_width:int32:ntex tex_nchannel:int32:ntex tex_adr:int:ntex tex_data:uint8:ntexdata "
        "tex_pathadr:int32:ntex tex_contenttypeadr:int32:ntex mat_texid:int32:nmat:mjNTEXROLE mat_texuniform:bool:nmat "
        "mat_texrepeat:float32:nmat:2 mat_emission:float32:nmat mat_specular:float32:nmat mat_shininess:float32:nmat "
        "mat_reflectance:float32:nmat mat_metallic:float32:nmat mat_roughness:float32:nmat mat_rgba:float32:nmat:4 "
        "pair_dim:int32:npair pair_geom1:int32:npair pair_geom2:int32:npair pair_signature:int32:npair "
        "pair_solref:float64:npair:mjNREF pair_solreffriction:float64:npair:mjNREF pair_solimp:float64:npair:mjNIMP "
        "pair_margin:float64:npair pair_gap:float64:npair pair_adhesion:float64:npair pair_friction:float64:npair:5 "
        "exclude_signature:int32:nexclude eq_type:int32:neq eq_obj1id:int32:neq eq_obj2id:int32:neq "
        "eq_objtype:int32:neq eq_active0:bool:neq eq_solref:float64:neq:mjNREF eq_solimp:float64:neq:mjNIMP "
        "eq_data:float64:neq:mjNEQDATA tendon_type:int32:ntendon tendon_adr:int32:ntendon tendon_num:int32:ntendon "
        "tendon_matid:int32:ntendon tendon_actuatorid:int32:ntendon tendon_group:int32:ntendon "
        "tendon_plasticadr:int32:ntendon tendon_treenum:int32:ntendon tendon_treeid:int32:ntendon:2 "
        "ten_J_rownnz:int32:ntendon ten_J_rowadr:int32:ntendon ten_J_colind:int32:nJten tendon_limited:bool:ntendon "
        "tendon_actfrclimited:bool:ntendon tendon_width:float64:ntendon tendon_solref_lim:float64:ntendon:mjNREF "
        "tendon_solimp_lim:float64:ntendon:mjNIMP tendon_solref_fri:float64:ntendon:mjNREF "
        "tendon_solimp_fri:float64:ntendon:mjNIMP tendon_range:float64:ntendon:2 tendon_actfrcrange:float64:ntendon:2 "
        "tendon_margin:float64:ntendon tendon_stiffness:float64:ntendon tendon_stiffnesspoly:float64:ntendon:mjNPOLY "
        "tendon_damping:float64:ntendon tendon_dampingpoly:float64:ntendon:mjNPOLY tendon_armature:float64:ntendon "
        "tendon_frictionloss:float64:ntendon tendon_lengthspring:float64:ntendon:2 tendon_springyield:float64:ntendon "
        "tendon_length0:float64:ntendon tendon_invweight0:float64:ntendon tendon_user:float64:ntendon:nuser_tendon "
        "tendon_rgba:float32:ntendon:4 wrap_type:int32:nwrap wrap_objid:int32:nwrap wrap_prm:float64:nwrap "
        "actuator_trntype:int32:nactuator actuator_dyntype:int32:nactuator actuator_gaintype:int32:nactuator "
        "actuator_biastype:int32:nactuator actuator_ctrladr:int32:nactuator actuator_ctrlnum:int32:nactuator "
        "actuator_ctrlspec:int32:nactuator actuator_outadr:int32:nactuator actuator_outnum:int32:nactuator "
        "actuator_actadr:int32:nactuator actuator_actnum:int32:nactuator actuator_trnid:int32:nactuator:2 "
        "actuator_cranklength:float64:nactuator actuator_dynprm:float64:nactuator:mjNDYN "
        "actuator_gainprm:float64:nactuator:mjNGAIN actuator_biasprm:float64:nactuator:mjNBIAS "
        "actuator_actlimited:bool:nactuator actuator_actrange:float64:nactuator:2 actuator_actearly:bool:nactuator "
        "actuator_history:int32:nactuator:2 actuator_historyadr:int32:nactuator actuator_delay:float64:nactuator "
        "actuator_damping:float64:nactuator actuator_dampingpoly:float64:nactuator:mjNPOLY "
        "actuator_armature:float64:nactuator actuator_group:int32:nactuator "
        "actuator_user:float64:nactuator:nuser_actuator actuator_plugin:int32:nactuator "
        "actuator_forcelimited:bool:nactuator actuator_forcerange:float64:nactuator:2 actuator_ctrllimited:bool:nu "
        "actuator_ctrlrange:float64:nu:2 actuator_gear:float64:nout:6 actuator_acc0:float64:nout "
        "actuator_length0:float64:nout actuator_lengthrange:float64:nout:2 sensor_type:int32:nsensor "
        "sensor_datatype:int32:nsensor sensor_needstage:int32:nsensor sensor_objtype:int32:nsensor "
        "sensor_objid:int32:nsensor sensor_reftype:int32:nsensor sensor_refid:int32:nsensor "
        "sensor_intprm:int32:nsensor:mjNSENS sensor_dim:int32:nsensor sensor_adr:int32:nsensor "
        "sensor_cutoff:float64:nsensor sensor_noise:float64:nsensor sensor_history:int32:nsensor:2 "
        "sensor_historyadr:int32:nsensor sensor_delay:float64:nsensor sensor_interval:float64:nsensor:2 "
        "sensor_user:float64:nsensor:nuser_sensor sensor_plugin:int32:nsensor plugin:int32:nplugin "
        "plugin_stateadr:int32:nplugin plugin_statenum:int32:nplugin plugin_attr:bytes:npluginattr "
        "plugin_attradr:int32:nplugin numeric_adr:int32:nnumeric numeric_size:int32:nnumeric "
        "numeric_data:float64:nnumericdata text_adr:int32:ntext text_size:int32:ntext text_data:bytes:ntextdata "
        "tuple_adr:int32:ntuple tuple_size:int32:ntuple tuple_objtype:int32:ntupledata tuple_objid:int32:ntupledata "
        "tuple_objprm:float64:ntupledata key_time:float64:nkey key_qpos:float64:nkey:nq key_qvel:float64:nkey:nv "
        "key_act:float64:nkey:na key_mpos:float64:nkey:nmocap*3 key_mquat:float64:nkey:nmocap*4 "
        "key_ctrl:float64:nkey:nu key_plastic:float64:nkey:nplastic name_bodyadr:int32:nbody name_jntadr:int32:njnt "
        "name_geomadr:int32:ngeom name_siteadr:int32:nsite name_camadr:int32:ncam name_lightadr:int32:nlight "
        "name_flexadr:int32:nflex name_meshadr:int32:nmesh name_skinadr:int32:nskin name_hfieldadr:int32:nhfield "
        "name_texadr:int32:ntex name_matadr:int32:nmat name_pairadr:int32:npair name_excludeadr:int32:nexclude "
        "name_eqadr:int32:neq name_tendonadr:int32:ntendon name_actuatoradr:int32:nactuator "
        "name_sensoradr:int32:nsensor name_numericadr:int32:nnumeric name_textadr:int32:ntext "
        "name_tupleadr:int32:ntuple name_keyadr:int32:nkey name_pluginadr:int32:nplugin names:bytes:nnames "
        "names_map:int32:nnames_map paths:bytes:npaths B_rownnz:int32:nbody B_rowadr:int32:nbody B_colind:int32:nB "
        "M_rownnz:int32:nv M_rowadr:int32:nv M_colind:int32:nC mapM2M:int32:nC D_rownnz:int32:nv D_rowadr:int32:nv "
        "D_diag:int32:nv D_colind:int32:nD mapM2D:int32:nD mapD2M:int32:nC signature:uint64 "),
    "MjData": (
        "narena:int nbuffer:int nplugin:int32 pstack:int pbase:int parena:int threadpool:uint64 maxuse_stack:int "
        "maxuse_arena:int maxuse_con:int32 maxuse_efc:int32 solver:object:4000 solver_niter:int32:20 "
        "solver_nnz:int32:20 solver_fwdinv:float64:2 warning:object:7 timer:object:15 ncon:int32 ne:int32 nf:int32 "
        "nl:int32 nefc:int32 nJ:int32 efm_active:int32 nefmK:int32 nefmcon:int32 nefmT:int32 nefmA:int32 nefmdof:int32 "
        "nefmL:int32 nY:int32 nA:int32 nisland:int32 nidof:int32 ntree_awake:int32 nbody_awake:int32 "
        "nparent_awake:int32 nv_awake:int32 flg_energypos:bool flg_energyvel:bool flg_subtreevel:bool flg_rnepost:bool "
        "time:float64 energy:float64:2 qpos:float64:nq qvel:float64:nv act:float64:na history:float64:nhistory "
        "plastic:float64:nplastic qacc_warmstart:float64:nv plugin_state:float64:npluginstate ctrl:float64:nu "
        "qfrc_applied:float64:nv xfrc_applied:float64:nbody:6 eq_active:bool:neq mocap_pos:float64:nmocap:3 "
        "mocap_quat:float64:nmocap:4 qacc:float64:nv act_dot:float64:na userdata:float64:nuserdata "
        "sensordata:float64:nsensordata tree_asleep:int32:ntree plugin:int32:nplugin plugin_data:uint64:nplugin "
        "xpos:float64:nbody:3 xquat:float64:nbody:4 xmat:float64:nbody:9 xipos:float64:nbody:3 xiquat:float64:nbody:4 "
        "ximat:float64:nbody:9 xanchor:float64:njnt:3 xaxis:float64:njnt:3 geom_xpos:float64:ngeom:3 "
        "geom_xquat:float64:ngeom:4 geom_xmat:float64:ngeom:9 site_xpos:float64:nsite:3 site_xquat:float64:nsite:4 "
        "site_xmat:float64:nsite:9 cam_xpos:float64:ncam:3 cam_xmat:float64:ncam:9 light_xpos:float64:nlight:3 "
        "light_xdir:float64:nlight:3 subtree_com:float64:nbody:3 cdof:float64:nv:6 cinert:float64:nbody:10 "
        "flexvert_xpos:float64:nflexvert:3 flexelem_aabb:float64:nflexelem:6 flexelem_krot:float64:nflexstiffness "
        "flex_hessian_valid:bool:nflex flexvert_hessian:float64:nflexvert:6 flexedge_hessian:float64:nflexedge:9 "
        "flexedge_J:float64:nJfe flexedge_length:float64:nflexedge bvh_aabb_dyn:float64:nbvhdynamic:6 "
        "flexvert_lambda:float64:nflexvert flexvert_conage:int32:nflexvert ten_wrapadr:int32:ntendon "
        "ten_wrapnum:int32:ntendon ten_J:float64:nJten ten_length:float64:ntendon wrap_obj:int32:nwrap:2 "
        "wrap_xpos:float64:nwrap:6 actuator_length:float64:nout moment_rownnz:int32:nout moment_rowadr:int32:nout "
        "moment_colind:int32:nJmom actuator_moment:float64:nJmom crb:float64:nbody:10 M:float64:nC qLD:float64:nC "
        "qLDiagInv:float64:nv bvh_active:bool:nbvh tree_awake:int32:ntree body_awake:int32:nbody "
        "body_awake_ind:int32:nbody parent_awake_ind:int32:nbody dof_awake_ind:int32:nv "
        "flexedge_velocity:float64:nflexedge ten_velocity:float64:ntendon actuator_velocity:float64:nout "
        "cvel:float64:nbody:6 cdof_dot:float64:nv:6 qfrc_bias:float64:nv qfrc_spring:float64:nv qfrc_damper:float64:nv "
        "qfrc_gravcomp:float64:nv qfrc_fluid:float64:nv qfrc_adhesion:float64:nv qfrc_passive:float64:nv "
        "subtree_linvel:float64:nbody:3 subtree_angmom:float64:nbody:3 qH:float64:nC qHDiagInv:float64:nv "
        "qDeriv:float64:nD qLU:float64:nD actuator_force:float64:nout qfrc_actuator:float64:nv qfrc_smooth:float64:nv "
        "qacc_smooth:float64:nv qfrc_constraint:float64:nv qfrc_inverse:float64:nv cacc:float64:nbody:6 "
        "cfrc_int:float64:nbody:6 cfrc_ext:float64:nbody:6 contact:object:ncon efc_type:int32:nefc efc_id:int32:nefc "
        "efc_J_rownnz:int32:nefc efc_J_rowadr:int32:nefc efc_J_rowsuper:int32:nefc efc_J_colind:int32:nJ "
        "efc_J:float64:nJ efc_pos:float64:nefc efc_margin:float64:nefc efc_frictionloss:float64:nefc "
        "efc_diagA:float64:nefc efc_KBIP:float64:nefc:4 efc_D:float64:nefc efc_R:float64:nefc "
        "tendon_efcadr:int32:ntendon tree_island:int32:ntree island_ntree:int32:nisland island_itreeadr:int32:nisland "
        "map_itree2tree:int32:ntree dof_island:int32:nv island_nv:int32:nisland island_idofadr:int32:nisland "
        "island_dofadr:int32:nisland map_dof2idof:int32:nv map_idof2dof:int32:nv ifrc_smooth:float64:nidof "
        "iacc_smooth:float64:nidof iacc:float64:nidof efc_island:int32:nefc island_ne:int32:nisland "
        "island_nf:int32:nisland island_nefc:int32:nisland island_iefcadr:int32:nisland map_efc2iefc:int32:nefc "
        "map_iefc2efc:int32:nefc iefc_type:int32:nefc iefc_id:int32:nefc iefc_frictionloss:float64:nefc "
        "iefc_D:float64:nefc iefc_R:float64:nefc efc_Y_rownnz:int32:nefc efc_Y_rowadr:int32:nefc efc_Y_colind:int32:nY "
        "efc_Y:float64:nY efc_AR_rownnz:int32:nefc efc_AR_rowadr:int32:nefc efc_AR_colind:int32:nA efc_AR:float64:nA "
        "efc_vel:float64:nefc efc_aref:float64:nefc efm_c:float64:nv efm_diag:float64:nv efm_ck:float64:nv "
        "efm_sdiag:float64:nv efm_fluid:float64:nC efm_tid:int32:ntendon efm_ts:float64:ntendon efm_tk:float64:ntendon "
        "efm_aid:int32:nactuator efm_as:float64:nactuator efm_ak:float64:nactuator efm_ca:float64:nv "
        "efm_K_rownnz:int32:nv efm_K_rowadr:int32:nv efm_K_colind:int32:nefmK efm_K_val:float64:nefmK "
        "efm_dofid:int32:nefmdof efm_con_ind:int32:nefmcon efm_con_val:float64:nefmcon efm_L:float64:nefmL "
        "efc_b:float64:nefc iefc_aref:float64:nefc iefc_state:int32:nefc iefc_force:float64:nefc efc_state:int32:nefc "
        "efc_force:float64:nefc ifrc_constraint:float64:nidof signature:uint64 "),
}

# names of all functions
FUNCTIONS = {
    "all": (
        "from_zip get_mjcb_act_bias get_mjcb_act_dyn get_mjcb_act_gain get_mjcb_contactfilter get_mjcb_control "
        "get_mjcb_passive get_mjcb_sensor get_mjcb_time get_mju_user_free get_mju_user_malloc get_mju_user_warning "
        "mj_Euler mj_RungeKutta mj_actuatorInputName mj_addContact mj_addM mj_angmomMat mj_applyFT mj_camlight "
        "mj_checkAcc mj_checkPos mj_checkVel mj_clearCache mj_collision mj_comPos mj_comVel mj_compareFwdInv "
        "mj_constraintUpdate mj_contactForce mj_copyData mj_copyState mj_crb mj_defaultLROpt mj_defaultOption "
        "mj_defaultSolRefImp mj_defaultVisual mj_differentiatePos mj_embedAssets mj_energyPos mj_energyVel "
        "mj_extractState mj_factorM mj_flex mj_forward mj_forwardSkip mj_fullM mj_fwdAcceleration mj_fwdActuation "
        "mj_fwdConstraint mj_fwdKinematics mj_fwdPosition mj_fwdVelocity mj_geomDistance mj_getCache "
        "mj_getCacheCapacity mj_getCacheSize mj_getState mj_getTotalmass mj_id2name mj_implicit mj_initCtrlHistory "
        "mj_initSensorHistory mj_insideSite mj_integratePos mj_invConstraint mj_invPosition mj_invVelocity mj_inverse "
        "mj_inverseSkip mj_isDual mj_isPyramidal mj_isSparse mj_island mj_jac mj_jacBody mj_jacBodyCom mj_jacDot "
        "mj_jacGeom mj_jacPointAxis mj_jacSite mj_jacSubtreeCom mj_kinematics mj_loadAllPluginLibraries "
        "mj_loadPluginLibrary mj_loadTexture mj_local2Global mj_makeConstraint mj_makeM mj_maxContact mj_mulJacTVec "
        "mj_mulJacVec mj_mulM mj_mulM2 mj_multiRay mj_name2id mj_normalizeQuat mj_objectAcceleration mj_objectVelocity "
        "mj_passive mj_printData mj_printFormattedData mj_printFormattedModel mj_printFormattedScene mj_printModel "
        "mj_printScene mj_printSchema mj_projectConstraint mj_ray mj_rayFlex mj_rayHfield mj_rayMesh mj_readCtrl "
        "mj_readSensor mj_referenceConstraint mj_resetCallbacks mj_resetCtrl mj_resetData mj_resetDataDebug "
        "mj_resetDataKeyframe mj_rne mj_rnePostConstraint mj_saveLastXML mj_saveModel mj_sensorAcc mj_sensorPos "
        "mj_sensorVel mj_setCacheCapacity mj_setConst mj_setKeyframe mj_setLengthRange mj_setState mj_setTotalmass "
        "mj_sizeModel mj_solveM mj_solveM2 mj_stateSize mj_step mj_step1 mj_step2 mj_subtreeVel mj_tendon "
        "mj_transmission mj_version mj_versionString mjd_inverseFD mjd_quatIntegrate mjd_subQuat mjd_transitionFD "
        "mjr_addAux mjr_blitAux mjr_blitBuffer mjr_changeFont mjr_defaultRendererInfo mjr_drawPixels mjr_figure "
        "mjr_findRect mjr_finish mjr_getError mjr_getRendererInfo mjr_label mjr_maxViewport mjr_overlay mjr_readPixels "
        "mjr_rectangle mjr_render mjr_resizeOffscreen mjr_restoreBuffer mjr_setAux mjr_setBuffer mjr_text "
        "mjr_uploadHField mjr_uploadMesh mjr_uploadTexture mju_Halton mju_L1 mju_add mju_add3 mju_addScl mju_addScl3 "
        "mju_addTo mju_addTo3 mju_addToScl mju_addToScl3 mju_axisAngle2Quat mju_band2Dense mju_bandDiag "
        "mju_bandMulMatVec mju_boxQP mju_cholFactor mju_cholFactorBand mju_cholSolve mju_cholSolveBand mju_cholUpdate "
        "mju_clip mju_copy mju_copy3 mju_copy4 mju_cross mju_d2n mju_decodePyramid mju_dense2Band mju_dense2sparse "
        "mju_derivQuat mju_dist3 mju_dot mju_dot3 mju_eig3 mju_encodePyramid mju_euler2Quat mju_eye mju_f2n mju_fill "
        "mju_getXMLDependencies mju_insertionSort mju_insertionSortInt mju_isBad mju_isZero mju_mat2Quat mju_mat2Rot "
        "mju_max mju_min mju_mulMatMat mju_mulMatMatT mju_mulMatTMat mju_mulMatTVec mju_mulMatTVec3 mju_mulMatVec "
        "mju_mulMatVec3 mju_mulPose mju_mulQuat mju_mulQuatAxis mju_mulVecMatVec mju_muscleBias mju_muscleDynamics "
        "mju_muscleGain mju_n2d mju_n2f mju_negPose mju_negQuat mju_norm mju_norm3 mju_normalize mju_normalize3 "
        "mju_normalize4 mju_printMat mju_printMatSparse mju_quat2Mat mju_quat2Vel mju_quatIntegrate mju_quatZ2Vec "
        "mju_rayGeom mju_raySkin mju_rotVecQuat mju_round mju_scl mju_scl3 mju_sigmoid mju_sign mju_sparse2dense "
        "mju_springDamper mju_sqrMatTD mju_standardNormal mju_str2Type mju_sub mju_sub3 mju_subFrom mju_subFrom3 "
        "mju_subQuat mju_sum mju_sym2dense mju_symmetrize mju_threadpool mju_transformSpatial mju_transpose "
        "mju_trnVecPose mju_type2Str mju_unit4 mju_warningText mju_writeLog mju_writeNumBytes mju_zero mju_zero3 "
        "mju_zero4 mjv_addGeoms mjv_alignToCamera mjv_applyPerturbForce mjv_applyPerturbPose mjv_averageCamera "
        "mjv_camera2GLCamera mjv_cameraFrame mjv_cameraFrustum mjv_cameraInModel mjv_cameraInRoom mjv_connector "
        "mjv_defaultCamera mjv_defaultFigure mjv_defaultFreeCamera mjv_defaultOption mjv_defaultPerturb "
        "mjv_frustumHeight mjv_initGeom mjv_initPerturb mjv_makeLights mjv_model2room mjv_moveCamera mjv_moveModel "
        "mjv_movePerturb mjv_room2model mjv_select mjv_updateCamera mjv_updateScene mjv_updateSkin set_mjcb_act_bias "
        "set_mjcb_act_dyn set_mjcb_act_gain set_mjcb_contactfilter set_mjcb_control set_mjcb_passive set_mjcb_sensor "
        "set_mjcb_time set_mju_user_free set_mju_user_malloc set_mju_user_warning to_zip "),
}

# names of all classes
CLASSES = {
    "all": (
        "FatalError GLContext MjByteVec MjCharVec MjContact MjData MjDoubleVec MjFloatVec MjIntVec MjLROpt MjLogConfig "
        "MjLogMessage MjModel MjOption MjPreContact MjSolverStat MjSpec MjStatistic MjStringVec MjTimerStat MjVfs "
        "MjVisual MjVisualHeadlight MjVisualRgba MjWarningStat MjrContext MjrRect MjrRendererInfo MjrVertexAttribute "
        "MjsActuator MjsAuthored MjsBody MjsCamera MjsCompiler MjsDefault MjsElement MjsEquality MjsExclude MjsFlex "
        "MjsFrame MjsGeom MjsHField MjsJoint MjsKey MjsLight MjsMaterial MjsMesh MjsNumeric MjsOrientation MjsPair "
        "MjsPlugin MjsSensor MjsSite MjsSkin MjsTendon MjsTendonPath MjsText MjsTexture MjsTuple MjsWrap MjvCamera "
        "MjvFigure MjvGLCamera MjvGeom MjvLight MjvOption MjvPerturb MjvScene Renderer UnexpectedError "),
}

# type and default of the fields of small classes
STRUCTS = {
    "MjLROpt": {
        "accel": ['float', 0.0],
        "interval": ['float', 0.0],
        "inttotal": ['float', 0.0],
        "maxforce": ['float', 0.0],
        "mode": ['int', 0],
        "timeconst": ['float', 0.0],
        "timestep": ['float', 0.0],
        "tolrange": ['float', 0.0],
        "useexisting": ['int', 0],
        "uselimit": ['int', 0],
    },
    "MjPreContact": {
        "dist": ['float', 0.0],
        "normal": ['float64', [0.0, 0.0, 0.0]],
        "pos": ['float64', [0.0, 0.0, 0.0]],
        "tangent": ['float64', [0.0, 0.0, 0.0]],
    },
    "MjSolverStat": {
        "gradient": ['float', 0.0],
        "improvement": ['float', 0.0],
        "lineslope": ['float', 0.0],
        "nactive": ['int', 0],
        "nchange": ['int', 0],
        "neval": ['int', 0],
        "nupdate": ['int', 0],
    },
    "MjTimerStat": {
        "duration": ['float', 0.0],
        "number": ['int', 0],
    },
    "MjWarningStat": {
        "lastinfo": ['int', 0],
        "number": ['int', 0],
    },
    "MjvCamera": {
        "azimuth": ['float', 90.0],
        "distance": ['float', 2.0],
        "elevation": ['float', -45.0],
        "fixedcamid": ['int', -1],
        "lookat": ['float64', [0.0, 0.0, 0.0]],
        "orthographic": ['int', 0],
        "trackbodyid": ['int', -1],
        "type": ['int', 0],
    },
    "MjvGLCamera": {
        "forward": ['float32', [0.0, 0.0, 0.0]],
        "frustum_bottom": ['float', 0.0],
        "frustum_center": ['float', 0.0],
        "frustum_far": ['float', 0.0],
        "frustum_near": ['float', 0.0],
        "frustum_top": ['float', 0.0],
        "frustum_width": ['float', 0.0],
        "orthographic": ['int', 0],
        "pos": ['float32', [0.0, 0.0, 0.0]],
        "up": ['float32', [0.0, 0.0, 0.0]],
    },
    "MjvGeom": {
        "camdist": ['float', 0.0],
        "castshadow": ['int', 1],
        "category": ['int', 0],
        "dataid": ['int', -1],
        "emission": ['float', 0.0],
        "label": ['str', ''],
        "mat": ['float32', [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]],
        "matid": ['int', -1],
        "modelrbound": ['float', 0.0],
        "objid": ['int', 0],
        "objtype": ['int', 0],
        "pos": ['float32', [0.0, 0.0, 0.0]],
        "reflectance": ['float', 0.0],
        "rgba": ['float32', [0.5, 0.5, 0.5, 1.0]],
        "segid": ['int', 0],
        "shininess": ['float', 0.5],
        "size": ['float32', [0.10000000149011612, 0.10000000149011612, 0.10000000149011612]],
        "specular": ['float', 0.5],
        "texcoord": ['int', 0],
        "texid": ['int', -1],
        "texrepeat": ['float32', [0.0, 0.0]],
        "texuniform": ['int', 0],
        "transparent": ['int', 0],
        "type": ['int', 1001],
    },
    "MjvLight": {
        "ambient": ['float32', [0.0, 0.0, 0.0]],
        "attenuation": ['float32', [0.0, 0.0, 0.0]],
        "bulbradius": ['float', 0.0],
        "castshadow": ['int', 0],
        "cutoff": ['float', 0.0],
        "diffuse": ['float32', [0.0, 0.0, 0.0]],
        "dir": ['float32', [0.0, 0.0, 0.0]],
        "exponent": ['float', 0.0],
        "headlight": ['int', 0],
        "id": ['int', 0],
        "intensity": ['float', 0.0],
        "pos": ['float32', [0.0, 0.0, 0.0]],
        "range": ['float', 0.0],
        "softness": ['float', 0.0],
        "specular": ['float32', [0.0, 0.0, 0.0]],
        "texid": ['int', 0],
        "type": ['int', 0],
    },
    "MjvOption": {
        "actuatorgroup": ['uint8', [1, 1, 1, 0, 0, 0]],
        "bvh_depth": ['int', 1],
        "flags": ['uint8', [0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0,
             0, 0]],
        "flex_layer": ['int', 0],
        "flexgroup": ['uint8', [1, 1, 1, 0, 0, 0]],
        "frame": ['int', 0],
        "geomgroup": ['uint8', [1, 1, 1, 0, 0, 0]],
        "jointgroup": ['uint8', [1, 1, 1, 0, 0, 0]],
        "label": ['int', 0],
        "sitegroup": ['uint8', [1, 1, 1, 0, 0, 0]],
        "skingroup": ['uint8', [1, 1, 1, 0, 0, 0]],
        "tendongroup": ['uint8', [1, 1, 1, 0, 0, 0]],
    },
    "MjvPerturb": {
        "active": ['int', 0],
        "active2": ['int', 0],
        "flexselect": ['int', -1],
        "localmass": ['float', 0.0],
        "localpos": ['float64', [0.0, 0.0, 0.0]],
        "refpos": ['float64', [0.0, 0.0, 0.0]],
        "refquat": ['float64', [1.0, 0.0, 0.0, 0.0]],
        "refselpos": ['float64', [0.0, 0.0, 0.0]],
        "scale": ['float', 1.0],
        "select": ['int', 0],
        "skinselect": ['int', -1],
    },
}

# type and default of the values of a model's elements
SPECS = {
    "MjsBody": {
        "alt": ['orientation', None],
        "childclass": ['str', 'main'],
        "explicitinertial": ['bool', False],
        "fullinertia": ['float64', [nan, 0.0, 0.0, 0.0, 0.0, 0.0]],
        "fuse": ['int', 1],
        "gravcomp": ['float', 0.0],
        "ialt": ['orientation', None],
        "inertia": ['float64', [0.0, 0.0, 0.0]],
        "info": ['str', ''],
        "ipos": ['float64', [nan, 0.0, 0.0]],
        "iquat": ['float64', [1.0, 0.0, 0.0, 0.0]],
        "mass": ['float', 0.0],
        "mocap": ['bool', False],
        "name": ['str', ''],
        "plugin": ['plugin', None],
        "pos": ['float64', [0.0, 0.0, 0.0]],
        "quat": ['float64', [1.0, 0.0, 0.0, 0.0]],
        "simple": ['int', 1],
        "sleep": ['mjtSleepPolicy', 0],
        "userdata": ['vector float64', []],
    },
    "MjsFrame": {
        "alt": ['orientation', None],
        "childclass": ['str', ''],
        "info": ['str', ''],
        "massscale": ['float', 0.0],
        "name": ['str', ''],
        "pos": ['float64', [0.0, 0.0, 0.0]],
        "quat": ['float64', [1.0, 0.0, 0.0, 0.0]],
        "scale": ['float64', [1.0, 1.0, 1.0]],
        "scaling": ['mjtScaling', 0],
    },
    "MjsJoint": {
        "actfrclimited": ['mjtLimited', 2],
        "actfrcrange": ['float64', [0.0, 0.0]],
        "actgravcomp": ['bool', False],
        "align": ['mjtAlignFree', 2],
        "armature": ['float', 0.0],
        "axis": ['float64', [0.0, 0.0, 1.0]],
        "damping": ['float64', [0.0, 0.0, 0.0]],
        "frictionloss": ['float', 0.0],
        "group": ['int', 0],
        "info": ['str', ''],
        "limited": ['mjtLimited', 2],
        "margin": ['float', 0.0],
        "name": ['str', ''],
        "pos": ['float64', [0.0, 0.0, 0.0]],
        "range": ['float64', [0.0, 0.0]],
        "ref": ['float', 0.0],
        "solimp_friction": ['float64', [0.9, 0.95, 0.001, 0.5, 2.0]],
        "solimp_limit": ['float64', [0.9, 0.95, 0.001, 0.5, 2.0]],
        "solref_friction": ['float64', [0.02, 1.0]],
        "solref_limit": ['float64', [0.02, 1.0]],
        "springdamper": ['float64', [0.0, 0.0]],
        "springref": ['float', 0.0],
        "springyield": ['float', 0.0],
        "stiffness": ['float64', [0.0, 0.0, 0.0]],
        "type": ['mjtJoint', 3],
        "userdata": ['vector float64', []],
    },
    "MjsGeom": {
        "adhesion": ['float', 0.0],
        "alt": ['orientation', None],
        "castshadow": ['bool', True],
        "conaffinity": ['int', 1],
        "condim": ['int', 3],
        "contype": ['int', 1],
        "density": ['float', 1000.0],
        "fitscale": ['float', 1.0],
        "fluid_coefs": ['float64', [0.5, 0.25, 1.5, 1.0, 1.0]],
        "fluid_ellipsoid": ['float', 0.0],
        "friction": ['float64', [1.0, 0.005, 0.0001]],
        "fromto": ['float64', [nan, 0.0, 0.0, 0.0, 0.0, 0.0]],
        "gap": ['float', 0.0],
        "group": ['int', 0],
        "hfieldname": ['str', ''],
        "info": ['str', ''],
        "margin": ['float', 0.0],
        "mass": ['float', nan],
        "material": ['str', ''],
        "meshname": ['str', ''],
        "name": ['str', ''],
        "plugin": ['plugin', None],
        "pos": ['float64', [0.0, 0.0, 0.0]],
        "priority": ['int', 0],
        "quat": ['float64', [1.0, 0.0, 0.0, 0.0]],
        "rgba": ['float32', [0.5, 0.5, 0.5, 1.0]],
        "size": ['float64', [0.0, 0.0, 0.0]],
        "solimp": ['float64', [0.9, 0.95, 0.001, 0.5, 2.0]],
        "solmix": ['float', 1.0],
        "solref": ['float64', [0.02, 1.0]],
        "surfacevel": ['float64', [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]],
        "type": ['mjtGeom', 2],
        "typeinertia": ['mjtGeomInertia', 0],
        "userdata": ['vector float64', []],
    },
    "MjsSite": {
        "alt": ['orientation', None],
        "fromto": ['float64', [nan, 0.0, 0.0, 0.0, 0.0, 0.0]],
        "group": ['int', 0],
        "info": ['str', ''],
        "material": ['str', ''],
        "meshname": ['str', ''],
        "name": ['str', ''],
        "pos": ['float64', [0.0, 0.0, 0.0]],
        "quat": ['float64', [1.0, 0.0, 0.0, 0.0]],
        "rgba": ['float32', [0.5, 0.5, 0.5, 1.0]],
        "size": ['float64', [0.005, 0.005, 0.005]],
        "type": ['mjtGeom', 2],
        "userdata": ['vector float64', []],
    },
    "MjsCamera": {
        "alt": ['orientation', None],
        "focal_length": ['float32', [0.0, 0.0]],
        "focal_pixel": ['float32', [0.0, 0.0]],
        "fovy": ['float', 45.0],
        "info": ['str', ''],
        "intrinsic": ['float32', [0.0, 0.0, 0.0, 0.0]],
        "ipd": ['float', 0.068],
        "mode": ['mjtCamLight', 0],
        "name": ['str', ''],
        "output": ['int', 1],
        "pos": ['float64', [0.0, 0.0, 0.0]],
        "principal_length": ['float32', [0.0, 0.0]],
        "principal_pixel": ['float32', [0.0, 0.0]],
        "proj": ['mjtProjection', 0],
        "quat": ['float64', [1.0, 0.0, 0.0, 0.0]],
        "resolution": ['int32', [1, 1]],
        "sensor_size": ['float32', [0.0, 0.0]],
        "targetbody": ['str', ''],
        "userdata": ['vector float64', []],
    },
    "MjsLight": {
        "active": ['bool', True],
        "ambient": ['float32', [0.0, 0.0, 0.0]],
        "attenuation": ['float32', [1.0, 0.0, 0.0]],
        "bulbradius": ['float', 0.019999999552965164],
        "castshadow": ['bool', True],
        "cutoff": ['float', 45.0],
        "diffuse": ['float32', [0.699999988079071, 0.699999988079071, 0.699999988079071]],
        "dir": ['float64', [0.0, 0.0, -1.0]],
        "exponent": ['float', 10.0],
        "info": ['str', ''],
        "intensity": ['float', 0.0],
        "mode": ['mjtCamLight', 0],
        "name": ['str', ''],
        "pos": ['float64', [0.0, 0.0, 0.0]],
        "range": ['float', 10.0],
        "softness": ['float', 0.20000000298023224],
        "specular": ['float32', [0.30000001192092896, 0.30000001192092896, 0.30000001192092896]],
        "targetbody": ['str', ''],
        "texture": ['str', ''],
        "type": ['mjtLightType', 0],
    },
    "MjsFlex": {
        "activelayers": ['int', 1],
        "cellcount": ['int32', [1, 1, 1]],
        "conaffinity": ['int', 1],
        "condim": ['int', 3],
        "contype": ['int', 1],
        "damping": ['float', 0.0],
        "dim": ['int', 2],
        "edgedamping": ['float', 0.0],
        "edgestiffness": ['float', 0.0],
        "elastic2d": ['int', 0],
        "elastic3d": ['int', 0],
        "elem": ['vector int32', []],
        "elemtexcoord": ['vector int32', []],
        "flatskin": ['bool', False],
        "friction": ['float64', [1.0, 0.005, 0.0001]],
        "gap": ['float', 0.0],
        "group": ['int', 0],
        "info": ['str', ''],
        "margin": ['float', 0.0],
        "material": ['strings', []],
        "name": ['str', ''],
        "node": ['vector float64', []],
        "nodebody": ['strings', []],
        "order": ['int', 0],
        "passive": ['int', 0],
        "poisson": ['float', 0.0],
        "priority": ['int', 0],
        "radius": ['float', 0.005],
        "rgba": ['float32', [0.5, 0.5, 0.5, 1.0]],
        "section": ['mjtFlexSection', 0],
        "sectionsize": ['float64', [0.0, 0.0]],
        "selfcollide": ['mjtFlexSelf', 4],
        "shear": ['float', 0.0],
        "size": ['float64', [0.0, 0.0, 0.0]],
        "solimp": ['float64', [0.9, 0.95, 0.001, 0.5, 2.0]],
        "solmix": ['float', 1.0],
        "solref": ['float64', [0.02, 1.0]],
        "stressyield": ['float64', [0.0, 0.0]],
        "texcoord": ['vector float32', []],
        "thickness": ['float', -1.0],
        "vert": ['vector float64', []],
        "vertbody": ['strings', []],
        "young": ['float', 0.0],
    },
    "MjsMesh": {
        "content_type": ['str', ''],
        "file": ['str', ''],
        "inertia": ['mjtMeshInertia', 2],
        "info": ['str', ''],
        "material": ['str', ''],
        "maxhullvert": ['int', -1],
        "name": ['str', ''],
        "needsdf": ['bool', False],
        "octree_maxdepth": ['int', 6],
        "plugin": ['plugin', None],
        "refpos": ['float64', [0.0, 0.0, 0.0]],
        "refquat": ['float64', [1.0, 0.0, 0.0, 0.0]],
        "scale": ['float64', [1.0, 1.0, 1.0]],
        "smoothnormal": ['bool', False],
        "userface": ['vector int32', []],
        "userfacenormal": ['vector int32', []],
        "userfacetexcoord": ['vector int32', []],
        "usernode": ['vector float64', []],
        "usernormal": ['vector float32', []],
        "usertet": ['vector int32', []],
        "usertexcoord": ['vector float32', []],
        "uservert": ['vector float32', []],
    },
    "MjsSkin": {
        "bindpos": ['vector float32', []],
        "bindquat": ['vector float32', []],
        "bodyname": ['strings', []],
        "face": ['vector int32', []],
        "file": ['str', ''],
        "group": ['int', 0],
        "inflate": ['float', 0.0],
        "info": ['str', ''],
        "material": ['str', ''],
        "name": ['str', ''],
        "rgba": ['float32', [0.5, 0.5, 0.5, 1.0]],
        "texcoord": ['vector float32', []],
        "vert": ['vector float32', []],
        "vertid": ['list', None],
        "vertweight": ['list', None],
    },
    "MjsHField": {
        "content_type": ['str', ''],
        "file": ['str', ''],
        "info": ['str', ''],
        "name": ['str', ''],
        "ncol": ['int', 0],
        "nrow": ['int', 0],
        "size": ['float64', [0.0, 0.0, 0.0, 0.0]],
        "userdata": ['vector float32', []],
    },
    "MjsTexture": {
        "builtin": ['mjtBuiltin', 0],
        "colorspace": ['mjtColorSpace', 0],
        "content_type": ['str', ''],
        "cubefiles": ['strings', ['', '', '', '', '', '']],
        "data": ['bytes', ''],
        "embed": ['mjtEmbed', 2],
        "file": ['str', ''],
        "gridlayout": ['chars', '............'],
        "gridsize": ['int32', [1, 1]],
        "height": ['int', 0],
        "hflip": ['bool', False],
        "info": ['str', ''],
        "mark": ['mjtMark', 0],
        "markrgb": ['float64', [0.0, 0.0, 0.0]],
        "name": ['str', ''],
        "nchannel": ['int', 3],
        "random": ['float', 0.01],
        "rgb1": ['float64', [0.8, 0.8, 0.8]],
        "rgb2": ['float64', [0.5, 0.5, 0.5]],
        "type": ['mjtTexture', 1],
        "vflip": ['bool', False],
        "width": ['int', 0],
    },
    "MjsMaterial": {
        "emission": ['float', 0.0],
        "info": ['str', ''],
        "metallic": ['float', -1.0],
        "name": ['str', ''],
        "reflectance": ['float', 0.0],
        "rgba": ['float32', [1.0, 1.0, 1.0, 1.0]],
        "roughness": ['float', -1.0],
        "shininess": ['float', 0.5],
        "specular": ['float', 0.5],
        "texrepeat": ['float32', [1.0, 1.0]],
        "textures": ['strings', ['', '', '', '', '', '', '', '', '', '']],
        "texuniform": ['bool', False],
    },
    "MjsPair": {
        "adhesion": ['float', 0.0],
        "condim": ['int', 3],
        "friction": ['float64', [1.0, 1.0, 0.005, 0.0001, 0.0001]],
        "gap": ['float', 0.0],
        "geomname1": ['str', ''],
        "geomname2": ['str', ''],
        "info": ['str', ''],
        "margin": ['float', 0.0],
        "name": ['str', ''],
        "solimp": ['float64', [0.9, 0.95, 0.001, 0.5, 2.0]],
        "solref": ['float64', [0.02, 1.0]],
        "solreffriction": ['float64', [0.0, 0.0]],
    },
    "MjsExclude": {
        "bodyname1": ['str', ''],
        "bodyname2": ['str', ''],
        "info": ['str', ''],
        "name": ['str', ''],
    },
    "MjsEquality": {
        "active": ['bool', True],
        "data": ['float64', [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]],
        "info": ['str', ''],
        "name": ['str', ''],
        "name1": ['str', ''],
        "name2": ['str', ''],
        "objtype": ['mjtObj', 0],
        "solimp": ['float64', [0.9, 0.95, 0.001, 0.5, 2.0]],
        "solref": ['float64', [0.02, 1.0]],
        "type": ['mjtEq', 0],
    },
    "MjsTendon": {
        "actfrclimited": ['mjtLimited', 2],
        "actfrcrange": ['float64', [0.0, 0.0]],
        "armature": ['float', 0.0],
        "damping": ['float64', [0.0, 0.0, 0.0]],
        "frictionloss": ['float', 0.0],
        "group": ['int', 0],
        "info": ['str', ''],
        "limited": ['mjtLimited', 2],
        "margin": ['float', 0.0],
        "material": ['str', ''],
        "name": ['str', ''],
        "range": ['float64', [0.0, 0.0]],
        "rgba": ['float32', [0.5, 0.5, 0.5, 1.0]],
        "solimp_friction": ['float64', [0.9, 0.95, 0.001, 0.5, 2.0]],
        "solimp_limit": ['float64', [0.9, 0.95, 0.001, 0.5, 2.0]],
        "solref_friction": ['float64', [0.02, 1.0]],
        "solref_limit": ['float64', [0.02, 1.0]],
        "springlength": ['float64', [-1.0, -1.0]],
        "springyield": ['float', 0.0],
        "stiffness": ['float64', [0.0, 0.0, 0.0]],
        "userdata": ['vector float64', []],
        "width": ['float', 0.003],
    },
    "MjsActuator": {
        "actdim": ['int', -1],
        "actearly": ['bool', False],
        "actlimited": ['mjtLimited', 2],
        "actrange": ['float64', [0.0, 0.0]],
        "armature": ['float', 0.0],
        "biasprm": ['float64', [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]],
        "biastype": ['mjtBias', 0],
        "cranklength": ['float', 0.0],
        "ctrllimited": ['mjtLimited', 2],
        "ctrlrange": ['float64', [0.0, 0.0]],
        "ctrlspec": ['int', 0],
        "damping": ['float64', [0.0, 0.0, 0.0]],
        "delay": ['float', 0.0],
        "dynprm": ['float64', [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]],
        "dyntype": ['mjtDyn', 0],
        "ffrange": ['float64', [0.0, 0.0]],
        "forcelimited": ['mjtLimited', 2],
        "forcerange": ['float64', [0.0, 0.0]],
        "gainprm": ['float64', [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]],
        "gaintype": ['mjtGain', 0],
        "gear": ['float64', [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]],
        "group": ['int', 0],
        "info": ['str', ''],
        "inheritrange": ['float', 0.0],
        "interp": ['int', 0],
        "lengthrange": ['float64', [0.0, 0.0]],
        "name": ['str', ''],
        "nsample": ['int', 0],
        "plugin": ['plugin', None],
        "refsite": ['str', ''],
        "slidersite": ['str', ''],
        "target": ['str', ''],
        "trntype": ['mjtTrn', 1000],
        "type": ['mjtActuator', 0],
        "userdata": ['vector float64', []],
        "velrange": ['float64', [0.0, 0.0]],
    },
    "MjsSensor": {
        "cutoff": ['float', 0.0],
        "datatype": ['mjtDataType', 0],
        "delay": ['float', 0.0],
        "dim": ['int', 0],
        "info": ['str', ''],
        "interp": ['int', 0],
        "interval": ['float64', [0.0, 0.0]],
        "intprm": ['int32', [0, 0, 0]],
        "name": ['str', ''],
        "needstage": ['mjtStage', 3],
        "noise": ['float', 0.0],
        "nsample": ['int', 0],
        "objname": ['str', ''],
        "objtype": ['mjtObj', 0],
        "plugin": ['plugin', None],
        "refname": ['str', ''],
        "reftype": ['mjtObj', 0],
        "type": ['mjtSensor', 0],
        "userdata": ['vector float64', []],
    },
    "MjsNumeric": {
        "data": ['vector float64', []],
        "info": ['str', ''],
        "name": ['str', ''],
        "size": ['int', 0],
    },
    "MjsText": {
        "data": ['str', ''],
        "info": ['str', ''],
        "name": ['str', ''],
    },
    "MjsTuple": {
        "info": ['str', ''],
        "name": ['str', ''],
        "objname": ['strings', []],
        "objprm": ['vector float64', []],
        "objtype": ['vector int32', []],
    },
    "MjsKey": {
        "act": ['vector float64', []],
        "ctrl": ['vector float64', []],
        "info": ['str', ''],
        "mpos": ['vector float64', []],
        "mquat": ['vector float64', []],
        "name": ['str', ''],
        "plastic": ['vector float64', []],
        "qpos": ['vector float64', []],
        "qvel": ['vector float64', []],
        "time": ['float', 0.0],
    },
    "MjsPlugin": {
        "active": ['bool', False],
        "config": ['dict', None],
        "info": ['str', ''],
        "name": ['str', ''],
        "plugin_name": ['str', ''],
    },
    "MjsWrap": {
        "info": ['str', ''],
        "type": ['mjtWrap', 3],
    },
    "MjsOrientation": {
        "axisangle": ['float64', [0.0, 0.0, 0.0, 0.0]],
        "euler": ['float64', [0.0, 0.0, 0.0]],
        "type": ['mjtOrientation', 0],
        "xyaxes": ['float64', [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]],
        "zaxis": ['float64', [0.0, 0.0, 0.0]],
    },
    "MjsCompiler": {
        "LRopt": ['MjLROpt', None],
        "alignfree": ['bool', False],
        "authored": ['int', 0],
        "autolimits": ['bool', True],
        "balanceinertia": ['bool', False],
        "boundinertia": ['float', 0.0],
        "boundmass": ['float', 0.0],
        "conflict": ['mjtConflict', 0],
        "degree": ['bool', True],
        "discardvisual": ['bool', False],
        "eulerseq": ['chars', 'xyz'],
        "fitaabb": ['bool', False],
        "fusestatic": ['bool', False],
        "inertiafromgeom": ['mjtInertiaFromGeom', 2],
        "inertiagrouprange": ['int32', [0, 5]],
        "meshdir": ['str', ''],
        "passthrough": ['mjtPassthrough', 0],
        "savecanonical": ['bool', True],
        "savecompiled": ['bool', True],
        "saveinertial": ['bool', False],
        "settotalmass": ['float', -1.0],
        "texturedir": ['str', ''],
        "usethread": ['bool', True],
    },
    "MjsAuthored": {
        "disableactuator": ['int', 0],
        "disableflags": ['int', 0],
        "enableflags": ['int', 0],
        "option": ['int', 0],
        "visual_global": ['int', 0],
        "visual_headlight": ['int', 0],
        "visual_map": ['int', 0],
        "visual_quality": ['int', 0],
        "visual_rgba": ['int', 0],
        "visual_scale": ['int', 0],
    },
    "MjSpec": {
        "comment": ['str', ''],
        "hasImplicitPluginElem": ['bool', False],
        "memory": ['int', -1],
        "meshdir": ['str', ''],
        "modelfiledir": ['str', ''],
        "modelname": ['str', 'MuJoCo Model'],
        "nconmax": ['int', -1],
        "nemax": ['int', 0],
        "njmax": ['int', -1],
        "nkey": ['int', 0],
        "nstack": ['int', -1],
        "nuser_actuator": ['int', -1],
        "nuser_body": ['int', -1],
        "nuser_cam": ['int', -1],
        "nuser_geom": ['int', -1],
        "nuser_jnt": ['int', -1],
        "nuser_sensor": ['int', -1],
        "nuser_site": ['int', -1],
        "nuser_tendon": ['int', -1],
        "nuserdata": ['int', 0],
        "override_assets": ['bool', True],
        "strippath": ['bool', False],
        "texturedir": ['str', ''],
    },
}

CONSTANTS = {
    "mjDISABLESTRING": ('Constraint', 'Equality', 'Frictionloss', 'Limit', 'Contact', 'Spring', 'Damper',
        'Gravity', 'Clampctrl', 'Warmstart', 'Filterparent', 'Actuation', 'Refsafe', 'Sensor', 'Midphase',
        'Eulerdamp', 'AutoReset', 'NativeCCD', 'Island', 'MultiCCD'),
    "mjENABLESTRING": ('Override', 'Energy', 'Fwdinv', 'InvDiscrete', 'Sleep', 'DiagExact', 'IPC', 'Speculative'),
    "mjFRAMESTRING": ('None', 'Body', 'Geom', 'Site', 'Camera', 'Light', 'Contact', 'World'),
    "mjLABELSTRING": ('None', 'Body', 'Joint', 'Geom', 'Site', 'Camera', 'Light', 'Tendon', 'Actuator',
        'Constraint', 'Flex', 'Skin', 'Selection', 'SelPoint', 'Contact', 'ContactForce', 'Island'),
    "mjMAXCONPAIR": 50,
    "mjMAXFLEXNODES": 27,
    "mjMAXIMP": 0.9999,
    "mjMAXLIGHT": 100,
    "mjMAXLINE": 100,
    "mjMAXLINEPNT": 1001,
    "mjMAXOVERLAY": 500,
    "mjMAXPLANEGRID": 200,
    "mjMAXTREEDEPTH": 50,
    "mjMAXVAL": 10000000000.0,
    "mjMINAWAKE": 10,
    "mjMINIMP": 0.0001,
    "mjMINMU": 1e-05,
    "mjMINVAL": 1e-15,
    "mjNBIAS": 10,
    "mjNDYN": 10,
    "mjNEQDATA": 12,
    "mjNFLUID": 12,
    "mjNGAIN": 10,
    "mjNGROUP": 6,
    "mjNIMP": 5,
    "mjNISLAND": 20,
    "mjNPOLY": 2,
    "mjNREF": 2,
    "mjNSENS": 3,
    "mjNSOLVER": 200,
    "mjPI": 3.141592653589793,
    "mjRNDSTRING": (('Shadow', '1', 'S'), ('Wireframe', '0', 'W'), ('Reflection', '1', 'R'), ('Additive', '0',
        'L'), ('Skybox', '1', 'K'), ('Fog', '0', 'G'), ('Haze', '1', '/'), ('Depth', '0', ''), ('Segment', '0', ','),
        ('Id Color', '0', ''), ('Cull Face', '1', ''), ('Post Processing', '1', '')),
    "mjSC_IN": 1,
    "mjSC_INOUT": 3,
    "mjSC_OUT": 2,
    "mjTIMERSTRING": ('step', 'forward', 'inverse', 'position', 'velocity', 'actuation', 'constraint', 'advance',
        'pos_kinematics', 'pos_inertia', 'pos_collision', 'pos_make', 'pos_project', 'col_broadphase',
        'col_narrowphase'),
    "mjVERSION_HEADER": 4000000,
    "mjVISSTRING": (('Convex Hull', '0', 'H'), ('Texture', '1', 'X'), ('Joint', '0', 'J'), ('Camera', '0', 'Q'),
        ('Actuator', '0', 'U'), ('Activation', '0', ','), ('Light', '0', 'Z'), ('Tendon', '1', 'V'), ('Range Finder',
        '1', 'Y'), ('Equality', '0', 'E'), ('Inertia', '0', 'I'), ('Scale Inertia', '0', "'"), ('Perturb Force', '0',
        'B'), ('Perturb Object', '1', 'O'), ('Contact Point', '0', 'C'), ('Island', '0', 'N'), ('Contact Force', '0',
        'F'), ('Contact Split', '0', 'P'), ('Transparent', '0', 'T'), ('Auto Connect', '0', 'A'), ('Center of Mass',
        '0', 'M'), ('Select Point', '0', ''), ('Static Body', '1', 'D'), ('Skin', '1', ';'), ('Flex Vert', '0', ''),
        ('Flex Edge', '1', ''), ('Flex Face', '0', ''), ('Flex Skin', '1', ''), ('Body Tree', '0', '`'), ('Mesh Tree',
        '0', '\\'), ('SDF iters', '0', '')),
}
